/** An address without a page. */
export const notFound = {
  title: 'Page not found',
  heading: '404',
  text: 'Oops! Page not found',
  home: 'Return to Homepage',
} as const

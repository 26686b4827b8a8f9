import { createBrowserRouter } from 'react-router-dom'
import { ErrorScreen } from './layout/error-screen.tsx'
import { Guard } from './layout/guard.tsx'
import { Root } from './layout/root.tsx'

const linkPage = () => import('./pages/verifications/link.tsx').then(({ LinkPage }) => ({ Component: LinkPage }))
const codePage = () => import('./pages/verifications/code.tsx').then(({ CodePage }) => ({ Component: CodePage }))

// Until the first page's code is here; its own loading state follows.
const Nothing = () => null

/** Every URL of the console. */
export const createRouter = () =>
  createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: ErrorScreen,
      HydrateFallback: Nothing,
      children: [
        { path: '/', lazy: () => import('./pages/home/home.tsx').then(({ HomePage }) => ({ Component: HomePage })) },
        { path: '/v', lazy: codePage },
        { path: '/v/:token', lazy: linkPage },
        { path: '/verify', lazy: codePage },
        { path: '/verify/:token', lazy: linkPage },
        {
          path: '/providers/:id',
          lazy: () => import('./pages/providers/profile.tsx').then(({ ProviderPage }) => ({ Component: ProviderPage })),
        },
        { path: '/docs', lazy: () => import('./pages/docs/docs.tsx').then(({ DocsPage }) => ({ Component: DocsPage })) },
        {
          path: '/challenge',
          lazy: () => import('./pages/challenge/challenge.tsx').then(({ ChallengePage }) => ({ Component: ChallengePage })),
        },
        {
          Component: Guard,
          children: [
            {
              path: '/dashboard',
              lazy: () => import('./pages/dashboard/dashboard.tsx').then(({ DashboardPage }) => ({ Component: DashboardPage })),
            },
          ],
        },
        { path: '*', lazy: () => import('./pages/not-found/not-found.tsx').then(({ NotFoundPage }) => ({ Component: NotFoundPage })) },
      ],
    },
  ])

/** The class names that are given, in one string. */
export const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')

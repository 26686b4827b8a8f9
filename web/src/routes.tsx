import { createBrowserRouter, Navigate } from 'react-router-dom'
import { ErrorScreen } from './shell/error-screen.tsx'
import { Guard } from './shell/guard.tsx'
import { Root } from './shell/root.tsx'

const linkPage = () => import('./features/link/link-page.tsx').then(({ LinkPage }) => ({ Component: LinkPage }))
const codePage = () => import('./features/link/box/code-page.tsx').then(({ CodePage }) => ({ Component: CodePage }))
const setupPage = () =>
  import('./features/account/password/auth-setup-page.tsx').then(({ AuthSetupPage }) => ({ Component: AuthSetupPage }))

// Shown until the first page's code has loaded; then its own loading state follows.
const Nothing = () => null

/** Every URL of the console. */
export const createRouter = () =>
  createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: ErrorScreen,
      HydrateFallback: Nothing,
      children: [
        {
          path: '/',
          lazy: () => import('./features/home/home-page.tsx').then(({ HomePage }) => ({ Component: HomePage })),
        },
        { path: '/v', lazy: codePage },
        { path: '/v/:token', lazy: linkPage },
        { path: '/verify', lazy: codePage },
        { path: '/verify/:token', lazy: linkPage },
        {
          path: '/sample',
          lazy: () =>
            import('./features/link/sample/sample-index-page.tsx').then(({ SampleIndexPage }) => ({
              Component: SampleIndexPage,
            })),
        },
        {
          path: '/sample/:name',
          lazy: () =>
            import('./features/link/sample/sample-page.tsx').then(({ SamplePage }) => ({ Component: SamplePage })),
        },
        {
          path: '/verify-model',
          lazy: () =>
            import('./features/verify-model/verify-model-page.tsx').then(({ VerifyModelPage }) => ({
              Component: VerifyModelPage,
            })),
        },
        {
          path: '/about',
          lazy: () => import('./features/about/about-page.tsx').then(({ AboutPage }) => ({ Component: AboutPage })),
        },
        {
          path: '/privacy',
          lazy: () =>
            import('./features/privacy/privacy-page.tsx').then(({ PrivacyPage }) => ({ Component: PrivacyPage })),
        },
        {
          path: '/contact',
          lazy: () =>
            import('./features/contact/contact-page.tsx').then(({ ContactPage }) => ({ Component: ContactPage })),
        },
        {
          path: '/search',
          lazy: () => import('./features/search/search-page.tsx').then(({ SearchPage }) => ({ Component: SearchPage })),
        },
        {
          path: '/models/:id',
          lazy: () =>
            import('./features/models/detail/model-page.tsx').then(({ ModelPage }) => ({ Component: ModelPage })),
        },
        {
          path: '/providers',
          lazy: () =>
            import('./features/providers/provider-list-page.tsx').then((page) => ({
              Component: page.ProviderListPage,
            })),
        },
        {
          path: '/models',
          lazy: () =>
            import('./features/models/list/model-list-page.tsx').then((page) => ({ Component: page.ModelListPage })),
        },
        {
          path: '/providers/:id',
          lazy: () =>
            import('./features/providers/provider-page.tsx').then(({ ProviderPage }) => ({ Component: ProviderPage })),
        },
        {
          path: '/docs',
          lazy: () => import('./features/docs/docs-page.tsx').then(({ DocsPage }) => ({ Component: DocsPage })),
        },
        {
          path: '/chat',
          lazy: () => import('./features/chat/chat-page.tsx').then(({ ChatPage }) => ({ Component: ChatPage })),
        },
        {
          path: '/challenge',
          lazy: () =>
            import('./features/challenge/challenge-page.tsx').then(({ ChallengePage }) => ({
              Component: ChallengePage,
            })),
        },
        {
          path: '/login',
          lazy: () =>
            import('./features/account/sign-in/login-page.tsx').then(({ LoginPage }) => ({ Component: LoginPage })),
        },
        {
          path: '/register',
          lazy: () =>
            import('./features/account/registration/register-page.tsx').then(({ RegisterPage }) => ({
              Component: RegisterPage,
            })),
        },
        {
          path: '/verify-email/:token',
          lazy: () =>
            import('./features/account/email/verify-email-page.tsx').then(({ VerifyEmailPage }) => ({
              Component: VerifyEmailPage,
            })),
        },
        { path: '/auth-setup', lazy: setupPage },
        { path: '/setup-password', lazy: setupPage },
        {
          path: '/restore-address',
          lazy: () =>
            import('./features/account/email/restore-address-page.tsx').then(({ RestoreAddressPage }) => ({
              Component: RestoreAddressPage,
            })),
        },
        {
          path: '/recover',
          lazy: () =>
            import('./features/account/recovery/recover-page.tsx').then(({ RecoverPage }) => ({
              Component: RecoverPage,
            })),
        },
        {
          path: '/undo-change',
          lazy: () =>
            import('./features/account/undo-change-page.tsx').then(({ UndoChangePage }) => ({
              Component: UndoChangePage,
            })),
        },
        {
          path: '/invitation',
          lazy: () =>
            import('./features/account/invitation/invitation-page.tsx').then(({ InvitationPage }) => ({
              Component: InvitationPage,
            })),
        },
        {
          path: '/auth/callback',
          lazy: () =>
            import('./features/account/sign-in/auth-callback-page.tsx').then(({ AuthCallbackPage }) => ({
              Component: AuthCallbackPage,
            })),
        },
        {
          path: '/email-verified',
          lazy: () =>
            import('./features/account/email/email-verified-page.tsx').then(({ EmailVerifiedPage }) => ({
              Component: EmailVerifiedPage,
            })),
        },
        { path: '/dashboard/providers/dashboard', element: <Navigate to="/dashboard" replace /> },
        {
          Component: Guard,
          children: [
            {
              path: '/device',
              lazy: () =>
                import('./features/account/device/device-page.tsx').then(({ DevicePage }) => ({
                  Component: DevicePage,
                })),
            },
            {
              path: '/dashboard/providers/profile',
              lazy: () =>
                import('./features/account/profile/profile-page.tsx').then(({ ProfilePage }) => ({
                  Component: ProfilePage,
                })),
            },
            {
              path: '/dashboard/models/register',
              lazy: () =>
                import('./features/dashboard/register/register-model-page.tsx').then(({ RegisterModelPage }) => ({
                  Component: RegisterModelPage,
                })),
            },
            {
              path: '/dashboard',
              lazy: () =>
                import('./features/dashboard/dashboard-page.tsx').then(({ DashboardPage }) => ({
                  Component: DashboardPage,
                })),
            },
          ],
        },
        {
          path: '*',
          lazy: () =>
            import('./features/not-found/not-found-page.tsx').then(({ NotFoundPage }) => ({ Component: NotFoundPage })),
        },
      ],
    },
  ])

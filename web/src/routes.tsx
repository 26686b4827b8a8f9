import { createBrowserRouter, Navigate } from 'react-router-dom'
import { ErrorScreen } from './layout/error-screen.tsx'
import { Guard } from './layout/guard.tsx'
import { Root } from './layout/root.tsx'

const linkPage = () => import('./pages/verifications/link.tsx').then(({ LinkPage }) => ({ Component: LinkPage }))
const codePage = () => import('./pages/verifications/code.tsx').then(({ CodePage }) => ({ Component: CodePage }))
const setupPage = () => import('./pages/account/auth-setup.tsx').then(({ AuthSetupPage }) => ({ Component: AuthSetupPage }))

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
          path: '/verify-model',
          lazy: () => import('./pages/verify-model/verify-model.tsx').then(({ VerifyModelPage }) => ({ Component: VerifyModelPage })),
        },
        { path: '/about', lazy: () => import('./pages/about/about.tsx').then(({ AboutPage }) => ({ Component: AboutPage })) },
        { path: '/privacy', lazy: () => import('./pages/privacy/privacy.tsx').then(({ PrivacyPage }) => ({ Component: PrivacyPage })) },
        { path: '/contact', lazy: () => import('./pages/contact/contact.tsx').then(({ ContactPage }) => ({ Component: ContactPage })) },
        { path: '/search', lazy: () => import('./pages/search/search.tsx').then(({ SearchPage }) => ({ Component: SearchPage })) },
        { path: '/models/:id', lazy: () => import('./pages/models/detail.tsx').then(({ ModelPage }) => ({ Component: ModelPage })) },
        {
          path: '/providers',
          lazy: () => import('./pages/providers/list.tsx').then((page) => ({ Component: page.ProviderListPage })),
        },
        { path: '/models', lazy: () => import('./pages/models/list.tsx').then((page) => ({ Component: page.ModelListPage })) },
        {
          path: '/providers/:id',
          lazy: () => import('./pages/providers/detail.tsx').then(({ ProviderPage }) => ({ Component: ProviderPage })),
        },
        { path: '/docs', lazy: () => import('./pages/docs/docs.tsx').then(({ DocsPage }) => ({ Component: DocsPage })) },
        { path: '/chat', lazy: () => import('./pages/chat/chat.tsx').then(({ ChatPage }) => ({ Component: ChatPage })) },
        {
          path: '/challenge',
          lazy: () => import('./pages/challenge/challenge.tsx').then(({ ChallengePage }) => ({ Component: ChallengePage })),
        },
        { path: '/login', lazy: () => import('./pages/account/login.tsx').then(({ LoginPage }) => ({ Component: LoginPage })) },
        { path: '/register', lazy: () => import('./pages/account/register.tsx').then(({ RegisterPage }) => ({ Component: RegisterPage })) },
        {
          path: '/verify-email/:token',
          lazy: () => import('./pages/account/verify-email.tsx').then(({ VerifyEmailPage }) => ({ Component: VerifyEmailPage })),
        },
        { path: '/auth-setup', lazy: setupPage },
        { path: '/setup-password', lazy: setupPage },
        {
          path: '/auth/callback',
          lazy: () => import('./pages/account/auth-callback.tsx').then(({ AuthCallbackPage }) => ({ Component: AuthCallbackPage })),
        },
        {
          path: '/email-verified',
          lazy: () => import('./pages/account/email-verified.tsx').then(({ EmailVerifiedPage }) => ({ Component: EmailVerifiedPage })),
        },
        { path: '/dashboard/providers/dashboard', element: <Navigate to="/dashboard" replace /> },
        {
          Component: Guard,
          children: [
            {
              path: '/dashboard/providers/profile',
              lazy: () => import('./pages/account/profile.tsx').then(({ ProfilePage }) => ({ Component: ProfilePage })),
            },
            {
              path: '/dashboard/models/register',
              lazy: () =>
                import('./pages/dashboard/register/register-model.tsx').then(({ RegisterModelPage }) => ({ Component: RegisterModelPage })),
            },
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

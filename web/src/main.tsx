import './theme.css'
import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { createRouter } from './routes.tsx'

// Radix overlays add style elements; the content security policy allows them only with this page's nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
if (nonce) setNonce(nonce)

// A deploy removes chunks that an open page has yet to load. Reload once; after that, show the error. If offline,
// nothing could be loaded, so keep the page as it is.
addEventListener('vite:preloadError', (event) => {
  if (!navigator.onLine) return
  const reloadedAt = Number(sessionStorage.getItem('reloaded_at') ?? 0)
  if (Date.now() - reloadedAt < 60_000) return
  sessionStorage.setItem('reloaded_at', String(Date.now()))
  event.preventDefault()
  location.reload()
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

// Server-rendered content stays until the page's code has loaded.
const router = createRouter()
// As a transition, so that the browser stays responsive during the first render.
const show = () =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  )
if (router.state.initialized) show()
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    show()
  })
}

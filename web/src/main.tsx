import './theme.css'
import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { createRouter } from './routes.tsx'

// The overlays of Radix write style elements; the policy lets them only with the nonce of this page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
if (nonce) setNonce(nonce)

// A deploy removes the parts that an open page has yet to load. Reload once; after that, show the error. Without a network
// there is nothing to load, and the page as it is must stay.
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

// What the server wrote into the page stands until the page's own code is here.
const router = createRouter()
// As a transition, so that the browser gets a word in while the first page is worked out.
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

import { useEffect, useRef } from 'react'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'

const words = site.list

/** Loads the next page near the end of the list, or by button. */
export const LoadMore = ({
  isLoading,
  loadMore,
  isByItself = true,
}: {
  isLoading: boolean
  loadMore: () => void
  isByItself?: boolean
}) => {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(loadMore)
  latest.current = loadMore
  useEffect(() => {
    if (isLoading || !isByItself || place.current === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '600px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isLoading, isByItself])
  return (
    <div ref={place} className="mt-6 flex justify-center">
      <Button onClick={loadMore} aria-disabled={isLoading}>
        {isLoading ? words.loadingMore : words.more}
      </Button>
    </div>
  )
}

import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'

/**
 * Says that quotes were opened, where the page was reached without loading a document: by a link of the application, whose
 * data may have been fetched before anybody pressed it, or by a page that a browser prepared and then showed.
 */
export function useNoteViewed(unseen: readonly string[]): void {
  const { submit } = useFetcher()
  const noted = useRef(new Set<string>())
  useEffect(() => {
    const note = () => {
      for (const quoteId of unseen.filter((id) => !noted.current.has(id))) {
        noted.current.add(quoteId)
        submit({ intent: 'note-viewed', quoteId }, { method: 'post' })
      }
    }
    if (!isPrepared()) return note()
    document.addEventListener('prerenderingchange', note, { once: true })
    return () => document.removeEventListener('prerenderingchange', note)
  }, [unseen, submit])
}

/** Whether the browser made the page before anybody asked for it. */
const isPrepared = () => 'prerendering' in document && document.prerendering === true

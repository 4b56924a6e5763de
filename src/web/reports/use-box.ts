import { useRef } from 'react'
import { useFollowed } from '../ui/radio-cards.tsx'

/** Hears what is typed for a question: at each key, and once more when its box is left. */
export type Hear = (typed: unknown, left: boolean) => void

/**
 * A box whose text is the browser's own, so that what was typed before the page was taken over stays; an answer that comes
 * from elsewhere takes its place, but never under somebody's hands.
 */
export function useBox<Box extends HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
  shown: string,
  hear: Hear,
) {
  const ref = useRef<Box>(null)
  useFollowed(shown, () => {
    const box = ref.current
    if (box && box !== document.activeElement) box.value = shown
  })
  return {
    ref,
    defaultValue: shown,
    onInput: () => hear(ref.current?.value, false),
    onBlur: () => hear(ref.current?.value, true),
  }
}

import { useEffect, useRef } from 'react'

/** When a step of a call takes away what had the focus, its heading gets it; whoever writes or chooses keeps theirs. */
export function useStepHeading(step: string) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement && document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('[data-call] h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.classList.add('outline-none')
    heading.focus({ preventScroll: true })
  }, [step])
}

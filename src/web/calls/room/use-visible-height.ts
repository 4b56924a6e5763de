import { type RefObject, useEffect } from 'react'

/** Keeps a frame as high as what a phone's keyboard leaves to see; browsers lay it out behind the keyboard otherwise. */
export function useVisibleHeight(frame: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const fit = () => {
      const isCovered = seen.scale === 1 && innerHeight - seen.height > 100
      const style = frame.current?.style
      style?.setProperty('height', isCovered ? `${seen.height}px` : '')
      style?.setProperty('top', isCovered ? `${seen.offsetTop}px` : '')
    }
    seen.addEventListener('resize', fit)
    seen.addEventListener('scroll', fit)
    return () => {
      seen.removeEventListener('resize', fit)
      seen.removeEventListener('scroll', fit)
    }
  }, [frame])
}

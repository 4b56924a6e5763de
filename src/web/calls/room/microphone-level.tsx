import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { watchLevel } from '../rtc/level.ts'

type MicrophoneLevelProps = { stream: MediaStream | null; on: boolean; className?: string }

/** How loud one's microphone is. It is drawn past React, twenty times a second. */
export function MicrophoneLevel({ stream, on, className }: MicrophoneLevelProps) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!stream || !on) return
    const element = bar.current!
    const stop = watchLevel(stream, (level) => {
      element.style.transform = `scaleX(${level})`
    })
    return () => {
      stop()
      element.style.transform = 'scaleX(0)'
    }
  }, [stream, on])
  return (
    <span className={classNames('grid gap-1', className)}>
      <span className="truncate text-right text-sm text-mute max-lg:sr-only">
        {on && stream ? 'Habla: la barra se mueve' : 'Sin sonido'}
      </span>
      <span aria-hidden className="h-2 overflow-hidden rounded-full bg-line">
        <span
          ref={bar}
          data-level
          className="block h-full origin-left rounded-full bg-brand"
          style={{ transform: 'scaleX(0)' }}
        />
      </span>
    </span>
  )
}

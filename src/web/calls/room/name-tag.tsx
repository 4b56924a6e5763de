import { MicOff } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'

type NameTagProps = { name: string; muted: boolean; className?: string }

/** Whose picture it is, and whether they can be heard. */
export const NameTag = ({ name, muted, className }: NameTagProps) => (
  <p
    className={classNames(
      'flex max-w-[calc(100%-1.5rem)] items-center gap-1.5 rounded-control bg-canvas/80 px-2.5 py-1 text-sm font-medium',
      className,
    )}
  >
    <span className="truncate">{name}</span>
    {muted && (
      <>
        <MicOff aria-hidden className="size-4 shrink-0 text-bad" />
        <span className="sr-only">, micrófono apagado</span>
      </>
    )}
  </p>
)

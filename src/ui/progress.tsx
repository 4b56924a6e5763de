import { classNames } from './class-names.ts'

type ProgressProps = { label: string; value: number; max?: number; className?: string }

/** How much of something is done; the whole is 100 unless given (specification §9). */
export function Progress({ label, value, max = 100, className }: ProgressProps) {
  const shown = Math.min(Math.max(value, 0), max)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={shown}
      className={classNames('h-1.5 overflow-hidden rounded-full bg-track', className)}
    >
      <div
        className="h-full rounded-full bg-brand"
        style={{ width: `${max > 0 ? (shown / max) * 100 : 0}%` }}
      />
    </div>
  )
}

import { classNames } from '../../ui/class-names.ts'
import { initialsOf } from './call-words.ts'

/** Stands for somebody who sends no picture. */
export const Initials = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden
    className={classNames(
      'grid size-24 place-items-center rounded-full bg-brand-soft text-3xl font-semibold text-brand short:size-16 short:text-xl',
      className,
    )}
  >
    {initialsOf(name)}
  </span>
)

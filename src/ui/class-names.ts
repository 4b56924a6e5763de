import { CircleAlert, CircleCheck, Clock, Info, type LucideIcon, Minus } from 'lucide-react'
import type { Tone } from '../shared/state-machine.ts'

/** Joins the class names that hold; false, null and '' are left out. */
export const classNames = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

/** The look of each tone; a colour is never the only sign: an icon and a word are beside it. */
export const tones: Record<Tone, { surface: string; ink: string; icon: LucideIcon }> = {
  ok: { surface: 'bg-brand-soft', ink: 'text-brand', icon: CircleCheck },
  wait: { surface: 'bg-wait-soft', ink: 'text-wait', icon: Clock },
  info: { surface: 'bg-info-soft', ink: 'text-info', icon: Info },
  bad: { surface: 'bg-bad-soft', ink: 'text-bad', icon: CircleAlert },
  neutral: { surface: 'bg-hover', ink: 'text-mute', icon: Minus },
}

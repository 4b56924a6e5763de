import { CircleCheck, DoorOpen, type LucideIcon, Moon, PhoneCall } from 'lucide-react'
import { type AnalystStatus, analystStatuses } from '../../../domain/calls/room.ts'
import type { Tone } from '../../../domain/shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'

const looks: Record<AnalystStatus, { tone: Tone; icon: LucideIcon; words: string }> = {
  here: { tone: 'ok', icon: DoorOpen, words: 'Ya está en la sala.' },
  online: { tone: 'ok', icon: CircleCheck, words: 'Ya sabe que esperas.' },
  busy: { tone: 'wait', icon: PhoneCall, words: 'Termina otra llamada y sigue contigo.' },
  away: { tone: 'neutral', icon: Moon, words: 'Al conectarse verá que esperas.' },
}

/** Whether the analyst is about to come, in words. */
export function AnalystPresence({ name, status }: { name: string; status: AnalystStatus }) {
  const { tone, icon, words } = looks[status]
  return (
    <section
      aria-label="Tu analista"
      className={classNames(cardClass, 'flex flex-wrap items-center gap-x-3 gap-y-2 p-4')}
    >
      <p className="font-semibold">{name}</p>
      <Badge tone={tone} icon={icon}>
        {analystStatuses[status]}
      </Badge>
      <p className="basis-full text-[0.9375rem] text-mute">{words}</p>
    </section>
  )
}

import { duration, time } from '../../domain/shared/format.ts'
import type { CallRecord, Sitting } from '../../server/calls/record.ts'
import { Card } from '../ui/card.tsx'

const labels = { customer: 'Cliente', analyst: 'Analista' }
const minute = 60_000

/** "25 min", of milliseconds; what is shorter than a minute is said so. */
const lasted = (ms: number) => (ms < minute ? 'menos de 1 min' : duration(Math.floor(ms / minute)))

/** Who was in the room of a call, each stay with its times, and how long both were there at once. */
export function SittingsCard({ record: { sittings, together } }: { record: CallRecord }) {
  return (
    <Card title="En la sala">
      <p>
        {together > 0 ? (
          <>
            Hablaron <span className="font-semibold">{lasted(together)}</span>.
          </>
        ) : sittings.length > 0 ? (
          'No coincidieron en la sala.'
        ) : (
          'Nadie entró a la sala.'
        )}
      </p>
      {sittings.length > 0 && (
        <ul className="grid gap-2">
          {sittings.map((sitting) => (
            <Stay key={sitting.id} sitting={sitting} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const Stay = ({ sitting: { from, name, side, to } }: { sitting: Sitting }) => (
  <li className="grid gap-0.5 border-l-2 border-line pl-3 text-[0.9375rem]">
    <p>
      {name} <span className="text-mute">({labels[side]})</span>
    </p>
    <p className="text-sm text-mute">
      {to
        ? `${time(from)} a ${time(to)} · ${lasted(to.getTime() - from.getTime())}`
        : `Desde ${time(from)}, sigue en la sala`}
    </p>
  </li>
)

import { dateTime } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { settingsPages } from './pages.ts'
import type { SettingsData } from './settings-loader.ts'
import { changeWords } from './words.ts'

type PastChange = SettingsData['events'][number]

/** Who changed which number, and when. */
export function SettingsHistory({ events }: { events: readonly PastChange[] }) {
  return (
    <Card title="Historial">
      {events.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">Nadie ha cambiado nada todavía.</p>
      ) : (
        <Timeline
          items={events.map((event) => ({
            key: event.id,
            title: settingsPages[event.section].title,
            note: `${dateTime(event.at)}, ${event.actor ?? 'el sistema'}`,
            children: <Changes event={event} />,
          }))}
        />
      )}
    </Card>
  )
}

/** As many lines as one reads; a whole column of travel is told by its number. */
const most = 6

function Changes({ event: { section, changes } }: { event: PastChange }) {
  const all = Object.entries(changes)
  return (
    <ul className="grid gap-0.5">
      {all.slice(0, most).map(([field, { from, to }]) => {
        const { label, words } = changeWords(section, field, to)
        return (
          <li key={field} className="wrap-anywhere">
            {label}: <span className="text-mute">{changeWords(section, field, from).words}</span> → {words}
          </li>
        )
      })}
      {all.length > most && <li className="text-mute">y {all.length - most} más</li>}
    </ul>
  )
}

import type { ReactNode } from 'react'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { dateTime } from '../../shared/format.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { AffectedAppointments } from '../../users/screens/affected.tsx'
import { type SettingsPage, settingsPages, settingsPath } from '../rules/pages.ts'
import type { PastChange } from './configuring.ts'
import { changeWords } from './section-fields.ts'

type PageFrameProps = {
  /** Null is the list of the pages. */
  page: SettingsPage | null
  events: readonly PastChange[]
  /** The page above, where that is not the list. */
  back?: { to: string; label: string }
  children: ReactNode
}

const index = {
  title: 'Configuración del servicio',
  about: 'Reglas y precios del servicio.',
  back: { to: '/admin/account', label: 'Mi cuenta' },
}
const toIndex = { to: settingsPath(), label: index.title }

/** A page of the configuration: what it decides, and its history beside. */
export function PageFrame({ page, events, back: above = toIndex, children }: PageFrameProps) {
  const { title, about, back } = page ? { ...settingsPages[page], back: above } : index
  return (
    <>
      <PageHeader title={title} subtitle={about} back={back} />
      <OrphanedFormError />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">{children}</div>
        <SettingsHistory events={events} />
      </div>
    </>
  )
}

type SectionFormProps = {
  intent: string
  version: number
  /** What its button says. */
  submit?: string
  children: ReactNode
}

/** The form of one page; appointments that its change touches are settled in it. */
export function SectionForm({ intent, version, submit = 'Guardar', children }: SectionFormProps) {
  return (
    <Form intent={intent} version={version}>
      <Card>{children}</Card>
      <AffectedAppointments />
      <ActionBar>
        <Submit>{submit}</Submit>
      </ActionBar>
    </Form>
  )
}

/** Who changed which number, and when. */
function SettingsHistory({ events }: { events: readonly PastChange[] }) {
  return (
    <Card title="Historial">
      {events.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">Sin cambios todavía.</p>
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

/** As many lines as a manager reads; a whole column of travel shows only its count. */
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

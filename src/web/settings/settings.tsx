import { ChevronRight, Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { chargedKinds } from '../../domain/quotes/content.ts'
import { settingsPartOf } from '../../domain/settings/settings.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { clockText, dateTime, unitPrice } from '../../domain/shared/format.ts'
import type { EditedItem } from '../../server/quotes/benefit.ts'
import { OwnPassword } from '../accounts/password-card.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { CatalogueItemForm, SectionForm } from './catalogue-item.tsx'
import { HolidaysPage } from './holidays.tsx'
import type { SettingsData } from './load-settings.ts'
import { itemPath, newItem, type SettingsPage, settingsGroups, settingsPages, settingsPath } from './pages.ts'
import { type FieldFacts, type FieldsSection, sectionFields } from './section-fields.ts'
import { StoppedJobsCard } from './stopped-jobs.tsx'
import { TravelPage } from './travel.tsx'
import { changeWords, summaries, typedValue, weekdays } from './words.ts'

export type SettingsPartProps = { data: SettingsData }

/** "Configuración del servicio": the list of its pages, or one of them. */
export function SettingsPart({ data }: SettingsPartProps) {
  if (!data.page) return <SettingsIndex data={data} />
  const { title, about } = settingsPages[data.page]
  return (
    <>
      <PageHeader
        title={title}
        subtitle={about}
        back={{ to: settingsPath(), label: 'Configuración del servicio' }}
      />
      <OrphanedFormError />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <PageBody data={data} />
        </div>
        <SettingsHistory events={data.events} />
      </div>
    </>
  )
}

function PageBody({ data }: SettingsPartProps) {
  const { page, settings, version } = data
  if (page === null) return null
  if (page === 'holidays') return <HolidaysPage data={data} />
  if (page === 'catalogue') return <CataloguePage data={data} />
  if (page === 'travel') return <TravelPage data={data} />
  return (
    <SectionForm key={page} intent={`settings.${page}`} version={version}>
      {page === 'hours' ? (
        <HoursFields hours={settings.hours} />
      ) : (
        <SectionFields section={page} settings={settings} />
      )}
      {page === 'spei' && <OwnPassword />}
    </SectionForm>
  )
}

/** When the house opens and closes, day by day; a day without hours is closed. */
function HoursFields({ hours }: { hours: Settings['hours'] }) {
  return (
    <div className="grid gap-5">
      {weekdays.map((name, day) => {
        const opening = hours[day]
        return (
          <fieldset key={name} className="grid items-center gap-x-4 gap-y-2 sm:grid-cols-[7rem_1fr]">
            <legend className="float-left font-semibold sm:pt-8">{name}</legend>
            <div className="grid grid-cols-2 gap-4">
              <Field
                label="Abre"
                name={`from${day}`}
                type="time"
                optional="unsaid"
                defaultValue={opening ? clockText(opening.from) : ''}
              />
              <Field
                label="Cierra"
                name={`to${day}`}
                type="time"
                optional="unsaid"
                defaultValue={opening ? clockText(opening.to) : ''}
              />
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}

const attributes: Record<
  Exclude<FieldFacts['kind'], 'lines' | 'yesNo'>,
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength'>
> = {
  number: { inputMode: 'numeric', maxLength: 9 },
  money: { inputMode: 'decimal', maxLength: 16 },
  time: { type: 'time' },
  phone: { type: 'tel', inputMode: 'tel' },
  email: { type: 'email', inputMode: 'email' },
  text: { maxLength: 254 },
}

/** The fields of a section, each with its number as it stands. */
function SectionFields({ section, settings }: { section: FieldsSection; settings: Settings }) {
  const values = settingsPartOf[section](settings)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {sectionFields[section].map((facts) => (
        <SectionField key={facts.name} facts={facts} value={values[facts.name]} />
      ))}
    </div>
  )
}

const yesOrNo = [
  { value: 'true', label: 'Sí' },
  { value: 'false', label: 'No' },
]

function SectionField({ facts, value }: { facts: FieldFacts; value: unknown }) {
  const { help, kind, label, name } = facts
  const common = { label, name, help, optional: facts.optional }
  if (kind === 'yesNo') return <Select {...common} options={yesOrNo} defaultValue={String(value)} />
  const defaultValue = typedValue(facts, value)
  if (kind === 'lines') return <TextArea {...common} className="sm:col-span-2" defaultValue={defaultValue} />
  return <Field {...common} autoComplete="off" {...attributes[kind]} defaultValue={defaultValue} />
}

const columns: Column<EditedItem>[] = [
  {
    header: 'Partida',
    main: true,
    cell: ({ code, description }) => (
      <Link to={itemPath(code)} prefetch="intent" className={rowLinkClass}>
        {description}
        <span className="block text-sm font-normal text-mute">{code}</span>
      </Link>
    ),
  },
  { header: 'Tipo', cell: ({ kind }) => chargedKinds[kind] },
  { header: 'Unidad', cell: ({ unit }) => <span className="whitespace-nowrap">{unit}</span> },
  {
    header: 'Sin IVA',
    numeric: true,
    cell: (item) => <span className="whitespace-nowrap">{unitPrice(item.unitPrice)}</span>,
  },
  {
    header: 'Estado',
    cell: ({ active }) => (active ? <Badge tone="ok">En uso</Badge> : <Badge tone="neutral">Sin usar</Badge>),
  },
]

/** The catalogue of prices: the list of it, or the form of one item. */
function CataloguePage({ data: { catalogue } }: SettingsPartProps) {
  if (!catalogue) return null
  const { item, items } = catalogue
  if (item !== undefined) return <CatalogueItemForm key={item?.code} item={item} />
  return (
    <>
      <LinkButton variant="ghost" to={itemPath(newItem)} className="justify-self-start">
        <Plus aria-hidden className="size-5" />
        Agregar partida
      </LinkButton>
      <DataTable caption="Catálogo de precios" columns={columns} rows={items} rowKey={({ code }) => code} />
    </>
  )
}

/** Everything that can be configured, each in one line as it stands. */
function SettingsIndex({ data }: SettingsPartProps) {
  return (
    <>
      <PageHeader
        title="Configuración del servicio"
        subtitle="Los números con los que trabaja todo el equipo."
        back={{ to: '/admin/account', label: 'Mi cuenta' }}
      />
      <OrphanedFormError />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <StoppedJobsCard queues={data.stopped} />
          {settingsGroups.map(({ title, pages }) => (
            <Card key={title} title={title} className="gap-1">
              <ul className="-mx-2 grid">
                {pages.map((page) => (
                  <Line key={page} page={page} data={data} />
                ))}
              </ul>
            </Card>
          ))}
        </div>
        <SettingsHistory events={data.events} />
      </div>
    </>
  )
}

function Line({ page, data: { settings, travelEdited } }: { page: SettingsPage; data: SettingsData }) {
  return (
    <li>
      <Link
        to={settingsPath(page)}
        prefetch="intent"
        className="flex min-h-14 items-center gap-3 rounded-control p-2 hover:bg-hover"
      >
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">{settingsPages[page].title}</span>
          <span className="text-[0.9375rem] text-mute wrap-anywhere">
            {summaries[page](settings, travelEdited)}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
      </Link>
    </li>
  )
}

type PastChange = SettingsData['events'][number]

/** Who changed which number, and when. */
function SettingsHistory({ events }: { events: readonly PastChange[] }) {
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

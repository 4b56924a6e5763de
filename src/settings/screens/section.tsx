import type { ComponentProps } from 'react'
import { assertPassword } from '../../accounts/password.ts'
import { OwnPassword } from '../../accounts/screens/password-card.tsx'
import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { clockText } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { choicesIn } from '../../users/rules/staffing-change.ts'
import { changeSettings } from '../commands.ts'
import { pageNamed } from '../rules/pages.ts'
import { type FormSection, sectionForms, sectionInput } from '../rules/schema.ts'
import { settingsPartOf } from '../rules/settings.ts'
import type { Settings } from '../rules/settings-schema.ts'
import type { Route } from './+types/section.ts'
import { configuring, readSettings, saved } from './configuring.ts'
import { PageFrame, SectionForm } from './page-frame.tsx'
import { type FieldFacts, type FieldsSection, sectionFields, typedValue, weekdays } from './section-fields.ts'

/** The section that the address names. */
function sectionNamed(slug: string): FormSection {
  const page = pageNamed(slug)
  const isSection = page !== null && Object.hasOwn(sectionForms, page)
  return isSection ? (page as FormSection) : refuse('not-found')
}

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const section = sectionNamed(params.page)
    return { section, ...(await readSettings(context, section)) }
  })

export const action = forms(({ context, params }: Route.ActionArgs) => {
  const { db, actor, now } = configuring(context)
  const section = sectionNamed(params.page)
  return {
    [`settings.${section}`]: form(sectionInput(section), async (input, { values }) => {
      // A change of the account that receives all payments needs the password, too.
      if (section === 'spei') await assertPassword(db, actor, values.currentPassword ?? '', now)
      await changeSettings(db, actor, { section, ...input }, choicesIn(Object.entries(values)), now)
      return saved(section)
    }),
  }
})

/** A section that is filled in as a whole. */
export default function SectionPage({ loaderData }: Route.ComponentProps) {
  const { events, section, settings, version } = loaderData
  return (
    <PageFrame page={section} events={events}>
      <SectionForm key={section} intent={`settings.${section}`} version={version}>
        {section === 'hours' ? (
          <HoursFields hours={settings.hours} />
        ) : (
          <SectionFields section={section} settings={settings} />
        )}
        {section === 'spei' && <OwnPassword />}
      </SectionForm>
    </PageFrame>
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

/** The fields of a section, each with its current number. */
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

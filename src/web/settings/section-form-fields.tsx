import type { ComponentProps } from 'react'
import { partOf } from '../../domain/settings/settings.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { Field, TextArea } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { type FieldFacts, type FieldsSection, sectionFields } from './section-fields.ts'
import { typedValue } from './words.ts'

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
export function SectionFields({ section, settings }: { section: FieldsSection; settings: Settings }) {
  const values = partOf[section](settings)
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

import type { ComponentProps } from 'react'
import type { Settings } from '../../domain/settings.ts'
import { partOf } from '../../domain/settings-parts.ts'
import { Field } from '../ui/field.tsx'
import { type FieldFacts, type FieldsSection, sectionFields } from './section-fields.ts'
import { typedValue } from './words.ts'

const attributes: Record<
  FieldFacts['kind'],
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength'>
> = {
  number: { inputMode: 'numeric', maxLength: 9 },
  money: { inputMode: 'decimal', maxLength: 16 },
  time: { type: 'time' },
  phone: { type: 'tel', inputMode: 'tel' },
  email: { type: 'email', inputMode: 'email' },
  text: { maxLength: 120 },
}

/** The fields of a section, each with its number as it stands. */
export function SectionFields({ section, settings }: { section: FieldsSection; settings: Settings }) {
  const values = partOf[section](settings)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {sectionFields[section].map((facts) => (
        <Field
          key={facts.name}
          label={facts.label}
          name={facts.name}
          help={facts.help}
          autoComplete="off"
          {...attributes[facts.kind]}
          defaultValue={typedValue(facts, values[facts.name])}
        />
      ))}
    </div>
  )
}

import { dateTime, formatPhone } from '../../shared/format.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'

type Value = string | boolean | Date | null
export type ShownData = readonly { heading: string; holdings: readonly Record<string, Value>[] }[]

/** Everything that we hold about a person, under headings. */
export function Holdings({ data }: { data: ShownData }) {
  return data.map(({ heading, holdings }) => (
    <section key={heading} aria-label={heading} className="grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{heading}</h3>
      {holdings.length === 0 && <p className="text-[0.9375rem] text-mute">Nada.</p>}
      {holdings.map((holding) => (
        <DefinitionList
          key={JSON.stringify(holding)}
          className="text-[0.9375rem] not-first-of-type:border-t not-first-of-type:border-line not-first-of-type:pt-3"
          items={Object.entries(holding).map(([term, value]) => ({ term, value: inWords(value, term) }))}
        />
      ))}
    </section>
  ))
}

function inWords(value: Value, term: string): string | null {
  if (value instanceof Date) return dateTime(value)
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  return value && term.startsWith('Teléfono') ? formatPhone(value) : value
}

import { type ConversionRow, type ConversionStep, conversionSteps } from '../../domain/agencies/agency.ts'
import { thousands } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { shareWords } from './figure-words.ts'

/** How far those came whom an agency brought in a period, step by step. */
export const ConversionCard = ({ rows }: { rows: readonly ConversionRow[] }) => (
  <Card title="De registro a instalación">
    <p className="text-sm text-mute">
      Hasta dónde llegaron, al día de hoy, las personas que llegaron en el periodo.
    </p>
    <ol className="grid gap-4 lg:grid-cols-4 lg:gap-6">
      {rows.map(({ step, count, ofAll, ofBefore }) => (
        <li
          key={step}
          className="grid grid-cols-[1fr_auto] content-start items-baseline gap-x-3 gap-y-1.5 lg:grid-cols-1"
        >
          <span className="text-sm text-mute">{conversionSteps[step]}</span>
          <span className="text-xl/tight font-semibold lg:text-2xl/tight">{thousands(count)}</span>
          <span aria-hidden className="col-span-full block h-2 overflow-hidden rounded-full bg-line">
            <span className="block h-full rounded-full bg-brand" style={{ width: `${ofAll ?? 0}%` }} />
          </span>
          <span className="col-span-full flex flex-wrap gap-x-3 text-sm text-mute">
            {sharesOf(step, ofAll, ofBefore).map((words) => (
              <span key={words} className="whitespace-nowrap">
                {words}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  </Card>
)

/** After the second step, where both would say the same. */
function sharesOf(step: ConversionStep, ofAll: number | null, ofBefore: number | null): string[] {
  if (ofAll === null) return ['Nadie en el periodo']
  if (step === 'brought') return ['Todas las personas del periodo']
  const all = `${shareWords(ofAll)} del total`
  return step === 'joined' ? [all] : [all, `${shareWords(ofBefore)} del paso anterior`]
}

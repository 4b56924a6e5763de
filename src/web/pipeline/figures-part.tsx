import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { yearsForFilter } from '../../domain/options.ts'
import type { OfficeFigures } from '../../server/pipeline/figures.ts'
import { monthAndYear } from '../format.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { FigureTable } from '../ui/figure-table.tsx'
import { type FigureTold, figureTables } from './figure-columns.ts'
import { type FigureFile, figureFilePath, figureFiles, figuresPath } from './pipeline-path.ts'

type Period = { year: string | null; months: readonly string[] }
type OfficeFiguresPartProps = OfficeFigures & Period & { now: Date }

const notes: Record<FigureFile, string> = {
  'dias-por-etapa': 'De los proyectos que terminaron cada etapa en el periodo.',
  'conversion-por-concesionaria':
    'Hasta dónde llegaron, al día de hoy, los proyectos que empezaron en el periodo.',
  'conversion-por-analista':
    'De las cotizaciones que envió por primera vez en el periodo, cuántas se aceptaron.',
  puntualidad: 'Visitas e instalaciones que empezaron dentro de la ventana de llegada que se prometió.',
}

/** What the office's work comes to in a period: each table with its file. */
export function OfficeFiguresPart({ year, months, now, ...figures }: OfficeFiguresPartProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Periods year={year} months={months} now={now} />
      <div className="grid grid-cols-1 items-start gap-4">
        {figureTables(figures).map((table) => (
          <FigureCard key={table.file} table={table} year={year} />
        ))}
      </div>
    </div>
  )
}

function FigureCard({ table: { cells, file, headers }, year }: { table: FigureTold; year: string | null }) {
  const columns = headers.map(({ header, numeric = false }, at) => ({
    ...{ header, numeric, cell: (row: string[]) => row[at] },
  }))
  return (
    <Card
      title={figureFiles[file]}
      aside={
        cells.length > 0 && (
          <a className={buttonClass('ghost')} href={figureFilePath(file, year)} download>
            <Download aria-hidden className="size-5" />
            CSV<span className="sr-only">{` de ${figureFiles[file].toLowerCase()}`}</span>
          </a>
        )
      }
    >
      <p className="text-sm text-mute">{notes[file]}</p>
      {cells.length === 0 ? (
        <p className="text-mute">No hay nada que contar en este periodo.</p>
      ) : (
        <section
          aria-label={figureFiles[file]}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone has to be reached by keyboard
          tabIndex={0}
          className="overflow-x-auto max-sm:[&_table]:min-w-160"
        >
          <FigureTable
            caption={figureFiles[file]}
            columns={columns}
            rows={cells}
            rowKey={(row) => row.join()}
          />
        </section>
      )}
    </Card>
  )
}

/** Which time the figures are of, and the way to others. */
function Periods({ year, months, now }: Period & { now: Date }) {
  const years = yearsForFilter([now.getUTCFullYear()]).map(String)
  const choices = [
    { value: null, label: 'Últimos 12 meses' },
    ...years.map((value) => ({ value, label: value })),
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="text-[0.9375rem] text-mute">
        {`${monthAndYear(`${months[0]}-01`)} a ${monthAndYear(`${months.at(-1)}-01`).toLowerCase()}`}
      </p>
      <nav aria-label="Periodo" className="flex flex-wrap gap-2">
        {choices.map(({ label, value }) => (
          <Link
            key={label}
            to={figuresPath(value)}
            prefetch="intent"
            preventScrollReset
            aria-current={value === year ? 'true' : undefined}
            className={classNames(
              'flex min-h-11 items-center rounded-full border px-4 text-[0.9375rem] font-medium no-underline lg:min-h-9',
              value === year
                ? 'border-brand bg-brand-soft text-brand'
                : 'border-line bg-card text-mute hover:bg-hover hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  )
}

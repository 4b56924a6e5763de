import { Download } from 'lucide-react'
import { yearsForFilter } from '../../domain/appointments/appointment.ts'
import { periodWords } from '../../domain/shared/format.ts'
import type { OfficeFigures } from '../../server/projects/figures.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FigureTable } from '../ui/figure-table.tsx'
import { PeriodLinks } from '../ui/period-links.tsx'
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
    { value: null, label: 'Últimos 12 meses', to: figuresPath(null) },
    ...years.map((value) => ({ value, label: value, to: figuresPath(value) })),
  ]
  return <PeriodLinks words={periodWords(months)} current={year} choices={choices} />
}

import { ChevronRight, Download } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Card } from '../ui/card.tsx'
import { useHydrated } from '../ui/hydrated.ts'

type ChartCardProps = {
  title: string
  note: string
  /** Where the same figures are had as a file. */
  csv: string
  /** What stands where there is nothing to draw. */
  empty: string | null
  chart: ReactNode
  table: ReactNode
}

/** Figures as a picture, as a table, and as a file. */
export function ChartCard({ title, note, csv, empty, chart, table }: ChartCardProps) {
  const isReady = useHydrated()
  return (
    <Card title={title} aside={<CsvLink address={csv} of={title} />}>
      <p className="text-sm text-mute">{note}</p>
      {empty ? (
        <p className="rounded-control bg-hover px-4 py-6 text-center text-[0.9375rem] text-mute">{empty}</p>
      ) : (
        // Its place is kept only where a chart will come.
        <div className="hidden h-72 [@media(scripting:enabled)]:block">
          {isReady && <Suspense fallback={null}>{chart}</Suspense>}
        </div>
      )}
      <details className="border-t border-line pt-1 -mb-2">
        <summary className="flex min-h-11 items-center gap-1.5 text-[0.9375rem] font-medium text-mute select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-5 shrink-0 transition-transform [details[open]>summary>&]:rotate-90"
          />
          Ver tabla
        </summary>
        <div className="pb-3">{table}</div>
      </details>
    </Card>
  )
}

const CsvLink = ({ address, of }: { address: string; of: string }) => (
  <a
    href={address}
    download
    className="-my-2 flex min-h-11 items-center gap-1.5 rounded-control px-2 text-[0.9375rem] font-medium text-mute no-underline hover:bg-hover hover:text-ink"
  >
    <Download aria-hidden className="size-4.5" />
    CSV
    <span className="sr-only"> de {of.toLowerCase()}</span>
  </a>
)

import { Link } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import type { AtDesk, Blocks } from './staff-loader.ts'

/** What waits for the office, a column for each list, the longest wait first. */
export function OfficeDesk({ toReview, proofs, refunds }: Pick<Blocks, 'toReview' | 'proofs' | 'refunds'>) {
  if (!toReview) return null
  return (
    <div className="grid items-start gap-6 lg:auto-cols-fr lg:grid-flow-col">
      <Queue
        id="reportes"
        title="Reportes por revisar"
        nothing="No hay reportes por revisar."
        rows={toReview}
      />
      {proofs && (
        <Queue
          id="comprobantes"
          title="Comprobantes por revisar"
          nothing="No hay comprobantes por revisar."
          rows={proofs}
        />
      )}
      {refunds && (
        <Queue
          id="reembolsos"
          title="Reembolsos por atender"
          nothing="No hay reembolsos por atender."
          rows={refunds}
        />
      )}
    </div>
  )
}

/** What came back to a technician, before everything else of the day. Nothing while nothing did. */
export function ReturnedSheets({ rows }: { rows: readonly AtDesk[] | null }) {
  if (!rows || rows.length === 0) return null
  return (
    <Card title="Te devolvieron" className="border-wait">
      <Rows rows={rows} />
    </Card>
  )
}

type QueueProps = { id: string; title: string; nothing: string; rows: readonly AtDesk[] }

const Queue = ({ id, title, nothing, rows }: QueueProps) => (
  <section id={id} className="grid scroll-mt-4 gap-4">
    <h2 className="text-lg font-semibold">{title}</h2>
    {rows.length === 0 && <p className="text-mute">{nothing}</p>}
    {rows.length > 0 && (
      <Card>
        <Rows rows={rows} />
      </Card>
    )}
  </section>
)

const Rows = ({ rows }: { rows: readonly AtDesk[] }) => (
  <ul className="grid gap-4">
    {rows.map(({ id, to, title, since, folio, note, badge }) => (
      <li
        key={id}
        className="grid gap-0.5 wrap-anywhere not-first:border-t not-first:border-line not-first:pt-4"
      >
        <p className="flex flex-wrap items-baseline justify-between gap-x-6">
          <Link to={to} prefetch="intent" className="-my-2.5 py-2.5 font-semibold">
            {title}
          </Link>
          <span className="text-sm text-mute">{since}</span>
        </p>
        <p className="text-[0.9375rem] text-mute">{folio}</p>
        {(note || badge) && (
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-[0.9375rem]">
            {note}
            {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
          </p>
        )}
      </li>
    ))}
  </ul>
)

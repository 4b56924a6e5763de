import { Link } from 'react-router'
import { type CodeState, codeStates } from '../../domain/agencies/codes.ts'
import { shortDate, thousands } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import type { ListedCode } from '../../server/agencies/codes-queries.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { CodeMoves } from './code-moves.tsx'
import { type House, ShareCode } from './share-code.tsx'

const tones: Record<CodeState, Tone> = {
  ...{ draft: 'neutral', active: 'ok', paused: 'wait', exhausted: 'info', expired: 'bad', revoked: 'bad' },
}

/** How a code stands, in a word or two. */
export const CodeBadge = ({ code: { awaits, isEarly, state } }: { code: ListedCode }) =>
  awaits ? (
    <Badge tone="wait">Por aprobar</Badge>
  ) : (
    <Badge tone={isEarly ? 'wait' : tones[state]}>{isEarly ? 'Programado' : codeStates[state]}</Badge>
  )

/** "Desde el 1 dic 2026", "Hasta el 31 dic 2026", or both. */
export function validity({ endsOn, isEarly, startsOn }: ListedCode): string {
  const from = isEarly ? `Desde el ${shortDate(startsOn)}` : ''
  if (endsOn === null) return from || 'Sin término'
  return from ? `${from} y hasta el ${shortDate(endsOn)}` : `Hasta el ${shortDate(endsOn)}`
}

const shareable: readonly CodeState[] = ['active', 'paused']

export const codeColumns: Column<ListedCode>[] = [
  {
    header: 'Código',
    main: true,
    cell: ({ label, text }) => (
      <>
        <span className="font-mono font-semibold tracking-wide whitespace-nowrap">{text}</span>
        {label && <span className="block text-sm font-normal text-mute wrap-anywhere">{label}</span>}
      </>
    ),
  },
  { header: 'Estado', cell: (code) => <CodeBadge code={code} /> },
  // Beside so many columns the words would be torn letter by letter.
  { header: 'Da', cell: ({ benefit }) => <span className="lg:inline-block lg:min-w-22">{benefit}</span> },
  { header: 'Vigencia', cell: validity },
  {
    header: 'Usos',
    numeric: true,
    cell: ({ maxUses, uses }) => (
      <span className="whitespace-nowrap">
        {thousands(uses)} de {thousands(maxUses)}
      </span>
    ),
  },
]

/** Wide enough for a first name as most are: beside so many columns it would be torn. */
export const Owner = ({ name }: { name: string | null }) => (
  <span className="lg:inline-block lg:min-w-18">{name}</span>
)

type CodeTableProps = { rows: readonly ListedCode[]; house: House }

/** An ally's codes and those of the colleagues: a table on a desk and cards on a phone. */
export function CodeTable({ rows, house }: CodeTableProps) {
  const columns: Column<ListedCode>[] = [
    ...codeColumns,
    {
      header: 'Clientes',
      numeric: true,
      cell: ({ clients, id, text }) =>
        clients === 0 ? (
          '0'
        ) : (
          <Link
            to={`/admin/alliate/clients?code=${id}`}
            className="inline-flex min-h-11 min-w-11 items-center justify-end font-semibold text-brand underline underline-offset-2 lg:min-h-0"
          >
            {thousands(clients)}
            <span className="sr-only"> clientes del código {text}</span>
          </Link>
        ),
    },
    { header: 'De', cell: ({ isMine, owner }) => <Owner name={isMine ? 'Tú' : owner} /> },
    {
      header: 'Acciones',
      cell: (code) => {
        const [isShared, isMoved] = [shareable.includes(code.state), code.moves.length > 0]
        if (!isShared && !isMoved) return null
        return (
          <div className="flex flex-wrap justify-end gap-2 lg:justify-start min-[88rem]:flex-nowrap">
            {isShared && <ShareCode code={code} house={house} />}
            {isMoved && <CodeMoves code={code} />}
          </div>
        )
      },
    },
  ]
  return <DataTable caption="Códigos" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasName } from '../../domain/access/actor.ts'
import { guard } from '../../domain/access/routes.ts'
import {
  commissionKindLabels,
  commissionStateFacts,
  settlesCommissions,
} from '../../domain/agencies/commissions.ts'
import { monthAndYear, numericDate, plainAmount } from '../../domain/shared/format.ts'
import { type ListedCommission, statementFor } from '../../server/agencies/commission-queries.ts'
import { actor, db } from '../../server/app/context.ts'
import { csvFile } from '../lib/export-csv.ts'
import { agreedWords } from './commission-lines.tsx'

/**
 * The statement of a month as a file: every line for users who settle it, the sums alone for an ally. The "Importe"
 * column adds up to the last line. It is outside every layout, so it is its own guard.
 */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const viewer = context.get(actor)
  const screen = `/admin/agency/${params.id}`
  const elsewhere = viewer && hasName(viewer) ? null : guard(screen, viewer)
  if (elsewhere) throw redirect(elsewhere)
  const month = url.searchParams.get('mes') ?? ''
  const read = viewer && (await statementFor(context.get(db), viewer, params.id ?? '', month))
  if (!read) throw data(null, { status: 404 })
  return csvFile(`comisiones-${month}.csv`, columns, inOneChunk(linesOf(read, settlesCommissions(viewer))))
}

type Statement = NonNullable<Awaited<ReturnType<typeof statementFor>>>
type Line = { what: string; amount: number; of?: ListedCommission; day?: string; reference?: string }

function linesOf({ lines, payouts, sums }: Statement, isWhole: boolean): Line[] {
  const earned: Line[] = isWhole
    ? lines.map((of) => ({ what: commissionKindLabels[of.kind], amount: of.amount, of }))
    : [
        { what: 'Comisiones ganadas en el mes', amount: sums.earned },
        { what: 'Ajustes del mes', amount: sums.adjusted },
      ]
  return [
    { what: 'Saldo anterior', amount: sums.opening },
    ...earned,
    ...payouts.map(({ amount, paidOn, reference }) => ({
      what: 'Transferencia',
      amount: -amount,
      day: numericDate(paidOn),
      reference,
    })),
    { what: `Saldo al cierre de ${monthAndYear(`${sums.month}-01`).toLowerCase()}`, amount: sums.closing },
  ]
}

async function* inOneChunk<Row>(rows: readonly Row[]) {
  yield rows
}

const columns: Record<string, (line: Line) => string | null> = {
  Movimiento: ({ what }) => what,
  Día: ({ day, of }) => (of ? numericDate(of.earnedAt) : (day ?? null)),
  Folio: ({ of }) => of?.folio ?? null,
  Cliente: ({ of }) => of?.customer ?? null,
  Aliado: ({ of }) => of?.ally || null,
  Acuerdo: ({ of }) => (of?.kind === 'commission' ? agreedWords(of) : null),
  Motivo: ({ of }) => of?.reason ?? null,
  Importe: ({ amount }) => plainAmount(amount),
  Estado: ({ of }) => (of ? commissionStateFacts[of.state].label : null),
  'Pagada el': ({ of }) => (of?.paidOn ? numericDate(of.paidOn) : null),
  Referencia: ({ of, reference }) => of?.reference ?? reference ?? null,
}

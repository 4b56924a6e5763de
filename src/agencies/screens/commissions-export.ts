import { data, type LoaderFunctionArgs } from 'react-router'
import { amountCell, type Columns, inOneChunk, tableFile } from '../../kit/list/export-file.ts'
import { signedIn } from '../../kit/request.ts'
import { monthAndYear } from '../../shared/format.ts'
import { type ListedCommission, type ReconciledLine, statementFor } from '../commission-queries.ts'
import {
  agencyState,
  commissionFolio,
  commissionKindLabels,
  commissionStateFacts,
  settlesCommissions,
} from '../rules/commissions.ts'
import { agreedWords } from './commission-lines.tsx'

/**
 * The statement of a month as a file: every line for users who settle it; for an ally each line without its amount, and
 * the sums. The "Importe" column adds up to the last line.
 */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const { actor, db } = signedIn(context)
  const month = url.searchParams.get('mes') ?? ''
  const read = await statementFor(db, actor, params.id ?? '', month)
  if (!read) throw data(null, { status: 404 })
  const isWhole = settlesCommissions(actor)
  const asked = isWhole ? columns : allyColumns
  return tableFile({ url, viewer: actor }, `comisiones-${month}`, asked, inOneChunk(linesOf(read, isWhole)))
}

/** Noon of a local date. */
const onDay = (date: string) => new Date(`${date}T18:00:00Z`)

type Statement = NonNullable<Awaited<ReturnType<typeof statementFor>>>
type Line = {
  what: string
  amount?: number
  of?: ListedCommission
  told?: ReconciledLine
  day?: Date
  reference?: string
}

function linesOf({ lines, payouts, reconciled, sums }: Statement, isWhole: boolean): Line[] {
  const earned: Line[] = isWhole
    ? lines.map((of) => ({ what: commissionKindLabels[of.kind], amount: of.amount, of }))
    : [
        ...reconciled.map((told) => ({ what: commissionKindLabels[told.kind], told })),
        { what: 'Comisiones ganadas en el mes', amount: sums.earned },
        { what: 'Ajustes del mes', amount: sums.adjusted },
      ]
  return [
    { what: 'Saldo anterior', amount: sums.opening },
    ...earned,
    ...payouts.map(({ amount, paidOn, reference }) => ({
      what: 'Transferencia',
      amount: -amount,
      day: onDay(paidOn),
      reference,
    })),
    { what: `Saldo al cierre de ${monthAndYear(`${sums.month}-01`).toLowerCase()}`, amount: sums.closing },
  ]
}

const columns: Columns<Line> = {
  Movimiento: ({ what }) => what,
  Día: ({ day, of }) => (of ? of.earnedAt : (day ?? null)),
  Comisión: ({ of }) => (of ? commissionFolio(of.id) : null),
  Folio: ({ of }) => of?.folio ?? null,
  Cliente: ({ of }) => of?.customer ?? null,
  Aliado: ({ of }) => of?.ally || null,
  Acuerdo: ({ of }) => (of?.kind === 'commission' ? agreedWords(of) : null),
  Motivo: ({ of }) => of?.reason ?? null,
  Importe: ({ amount = 0 }) => amountCell(amount),
  Estado: ({ of }) => (of ? commissionStateFacts[of.state].label : null),
  'Pagada el': ({ of }) => (of?.paidOn ? onDay(of.paidOn) : null),
  Referencia: ({ of, reference }) => of?.reference ?? reference ?? null,
}

const allyColumns: typeof columns = {
  Movimiento: ({ what }) => what,
  Día: ({ day, told }) => (told ? told.earnedAt : (day ?? null)),
  Comisión: ({ told }) => told?.folio ?? null,
  'Ajusta a': ({ told }) => told?.adjusts ?? null,
  Cliente: ({ told }) => told?.customer ?? null,
  Aliado: ({ told }) => told?.ally || null,
  Importe: ({ amount }) => (amount === undefined ? null : amountCell(amount)),
  Estado: ({ told }) => (told ? agencyState(told, new Date()).words : null),
  'Pagada el': ({ told }) => (told?.paidOn ? onDay(told.paidOn) : null),
  Referencia: ({ reference, told }) => told?.reference ?? reference ?? null,
}

import type { Actor } from '../../domain/actor.ts'
import { localDate, toMinutes } from '../../domain/calendar.ts'
import { commissionStateFacts, commissionStates, settlesCommissions } from '../../domain/commission.ts'
import { type ListedCommission, statementFor } from '../commissions/queries.ts'
import type { Db } from '../database/database.ts'
import { day, money } from '../mail/words.ts'
import type { StatementLine, StatementPaper } from './paper.ts'
import { longMonth, shortLocalDay } from './words.ts'

/**
 * The statement that an address names ("{agency}~2026-11") in the words of its document; null for whoever may see no sums of
 * that agency. An ally reads sums, and no line: a percentage of one price would tell the price.
 */
export async function readStatement(
  db: Db,
  actor: Actor,
  id: string,
  brand: string,
): Promise<StatementPaper | null> {
  const [agencyId = '', month = ''] = id.split('~')
  const read = await statementFor(db, actor, agencyId, month)
  if (!read) return null
  const { agency, lines, payouts, sums } = read
  return {
    ...{ kind: 'statement', brand, folio: `COM-${month}` },
    title: `Comisiones de ${longMonth(month)}`,
    subtitle: `${agency.name}. Al ${day(new Date())}.`,
    closing: { label: 'Saldo por pagar al cierre del mes', value: money(sums.closing) },
    account: [
      { label: 'Saldo anterior', value: money(sums.opening) },
      { label: 'Comisiones ganadas en el mes', value: money(sums.earned) },
      { label: 'Ajustes del mes', value: money(sums.adjusted) },
      { label: 'Transferido en el mes', value: money(0 - sums.transferred) },
      { label: 'Saldo al cierre', value: money(sums.closing) },
    ],
    states: commissionStates.map((state) => ({
      label: commissionStateFacts[state].label,
      value: money(sums[state]),
    })),
    lines: settlesCommissions(actor) ? lines.map(written) : null,
    transfers: payouts.map(({ amount, paidOn, reference }) => ({
      label: `${shortLocalDay(paidOn)}, ${reference}`,
      value: money(amount),
    })),
    notes: [
      'Cada comisión se gana al terminar una instalación, sobre el precio sin IVA que su cliente aceptó.',
      'Se aprueba cuando su cliente terminó de pagar y pasaron 15 días. Las cantidades son antes de IVA.',
    ],
  }
}

const written = (row: ListedCommission): StatementLine => ({
  day: shortLocalDay(localDate(toMinutes(row.earnedAt))),
  what: `${row.folio}, ${row.customer}`,
  basis: row.kind === 'adjustment' ? `Ajuste: ${row.reason}` : agreed(row),
  amount: money(row.amount),
  state: commissionStateFacts[row.state].label,
})

const agreed = ({ basis, termsKind, termsValue }: ListedCommission) =>
  termsKind === 'percent'
    ? `${termsValue / 100} % de ${money(basis)}`
    : `${money(termsValue)} por instalación`

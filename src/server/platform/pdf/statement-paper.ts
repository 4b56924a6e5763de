import type { Actor } from '../../../domain/access/actor.ts'
import {
  commissionStateFacts,
  commissionStates,
  settlesCommissions,
} from '../../../domain/agencies/commissions.ts'
import { longDate, longMonth, money, numericDate, percent } from '../../../domain/shared/format.ts'
import { type ListedCommission, statementFor } from '../../agencies/queries.ts'
import type { Db } from '../database/database.ts'
import type { StatementLine, StatementPaper } from './paper.ts'

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
    title: `Comisiones de ${longMonth(`${month}-01`)}`,
    subtitle: `${agency.name}. Al ${longDate(new Date())}.`,
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
      label: `${numericDate(paidOn)}, ${reference}`,
      value: money(amount),
    })),
    notes: [
      'Cada comisión se gana al terminar una instalación, sobre el precio sin IVA que su cliente aceptó.',
      'Se aprueba cuando su cliente terminó de pagar y pasaron 15 días. Las cantidades son antes de IVA.',
    ],
  }
}

const written = (row: ListedCommission): StatementLine => ({
  day: numericDate(row.earnedAt),
  what: `${row.folio}, ${row.customer}`,
  basis: row.kind === 'adjustment' ? `Ajuste: ${row.reason}` : agreed(row),
  amount: money(row.amount),
  state: commissionStateFacts[row.state].label,
})

const agreed = ({ basis, termsKind, termsValue }: ListedCommission) =>
  termsKind === 'percent'
    ? `${percent(termsValue)} de ${money(basis)}`
    : `${money(termsValue)} por instalación`

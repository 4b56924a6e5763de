import { commissionInput } from '../../domain/commission-input.ts'
import { adjustCommission } from '../../server/commissions/adjust.ts'
import { payCommissions } from '../../server/commissions/pay.ts'
import { drive } from '../../server/context.ts'
import { toast } from '../flash.ts'
import { submit } from '../submit.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

/** Answers the forms of the page whose intent begins with "commissions.". */
export const commissionsAction = async ({
  actor,
  agency,
  context,
  db,
  here,
  now,
  sent,
}: PartForm): PartAnswer =>
  submit(sent.form, commissionInput(now), async (form) => {
    if (form.intent === 'commissions.adjust') {
      await adjustCommission(db, actor, agency.id, form, now)
      return toast(`${here}&mes=${form.month}`, 'Comisión ajustada', 'Ya cuenta en el saldo de su mes.')
    }
    await payCommissions(db, context.get(drive), actor, agency.id, { ...form, file: sent.file('file') })
    return toast(here, 'Pago registrado', 'Sus aliados reciben un correo con la suma.')
  })

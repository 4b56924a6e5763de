import { randomUUID } from 'node:crypto'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { insertIn } from '../../kit/reading.ts'
import { homeOf } from './own-appointments.ts'
import type { Actions } from './shape.ts'

/** A payment by card. Without a key nobody is led to Stripe, so its customer hears that, where others are refused. */
export const cards: Actions = {
  'payments/card-payment.tsx': [
    {
      name: 'pay by card',
      async attempt(world, { customer }) {
        const { projectId } = await homeOf(world, customer)
        const payment = await insertIn(world, payments, {
          folio: `PAG-${randomUUID()}`,
          projectId,
          customerId: customer.id,
          concept: 'cfe_paperwork',
          amount: 1_500_00,
        })
        return { path: `/payments/tarjeta/${payment.id}`, form: {} }
      },
      hears: { customer2: 404 },
      may: { customer: 409 },
    },
  ],
}

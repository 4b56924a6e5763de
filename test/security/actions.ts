import { accounts, completion } from './actions/accounts.ts'
import { ofAllies } from './actions/allies.ts'
import { calls } from './actions/calls.ts'
import { cases } from './actions/cases.ts'
import { house } from './actions/house.ts'
import { fiscal } from './actions/invoices.ts'
import { ownQuotes } from './actions/own-quotes.ts'
import { paymentActions } from './actions/payments.ts'
import { people } from './actions/people.ts'
import { pipeline } from './actions/pipeline.ts'
import { planning } from './actions/planning.ts'
import { quotes } from './actions/quotes.ts'
import type { Actions } from './actions/shape.ts'
import { visits } from './actions/visits.ts'

/** Every action of every route module, by its file. A module with an action that is not here fails the matrix. */
export const actions: Actions = {
  ...accounts,
  ...visits,
  ...calls,
  ...cases,
  ...ofAllies,
  ...people,
  ...pipeline,
  ...planning,
  ...fiscal,
  ...house,
  ...ownQuotes,
  ...quotes,
  ...paymentActions,
  // Nothing is there, and every form is answered so.
  'app/screens/not-found.tsx': [],
  ...completion,
}

import { accounts, completion } from './actions/accounts.ts'
import { calls } from './actions/calls.ts'
import { cards } from './actions/cards.ts'
import { cases } from './actions/cases.ts'
import { clientActions } from './actions/clients.ts'
import { ownCodes } from './actions/codes.ts'
import { drafts } from './actions/drafts.ts'
import { fiscal } from './actions/fiscal.ts'
import { house } from './actions/house.ts'
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
  ...cards,
  ...cases,
  ...clientActions,
  ...ownCodes,
  ...people,
  ...pipeline,
  ...planning,
  ...fiscal,
  ...house,
  ...ownQuotes,
  ...quotes,
  ...drafts,
  ...paymentActions,
  // Nothing is there, and every form is answered so.
  'app/not-found.tsx': [],
  ...completion,
}

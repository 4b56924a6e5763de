import { z } from 'zod'

/** What a form that carries something we did not give it answers. */
export const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'

/** The version of a row that a form was shown with: no more than the database could ever hold. */
export const seenVersion = z.coerce
  .number<string>(staleForm)
  .int(staleForm)
  .positive(staleForm)
  .max(1_000_000_000, staleForm)

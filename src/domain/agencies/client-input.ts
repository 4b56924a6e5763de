import { z } from 'zod'
import { personName } from '../accounts/account.ts'
import { optionalEmail } from '../shared/email.ts'
import { theirPhone } from '../shared/phone.ts'
import { optionalText, ticked } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { codeIn } from './benefit-code.ts'

const firstYear = 1990

/** The newest model year on sale is next year's. */
const modelYear = (now: Date) => {
  const lastYear = now.getUTCFullYear() + 1
  const wrong = `Escribe un año de ${firstYear} a ${lastYear}.`
  const typed = z.preprocess(
    (sent) => (tidy(sent) === '' ? null : Number(tidy(sent))),
    z.int(wrong).min(firstYear, wrong).max(lastYear, wrong).nullable(),
  )
  return typed
}

const code = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const read = codeIn(typed)
    if (typed === '' || read) return read
    ctx.addIssue('Escribe el código como está: de 6 a 12 letras y números.')
    return z.NEVER
  }),
)

/** The form by which an ally registers a client in person. */
export const clientInput = (now: Date) =>
  z
    .object({
      name: personName('Escribe su nombre.'),
      phone: theirPhone,
      email: optionalEmail,
      vehicleBrand: optionalText(40),
      vehicleModel: optionalText(60),
      vehicleYear: modelYear(now),
      code,
      consent: ticked.refine(
        Boolean,
        'Pídele su consentimiento y marca la casilla: sin él no podemos guardar sus datos.',
      ),
      requestKey: z.uuid('Vuelve a abrir la página.'),
    })
    .transform(
      ({ vehicleBrand: brand, vehicleModel: model, vehicleYear: year, consent, requestKey, ...person }) => ({
        client: {
          ...person,
          lastname: null,
          vehicle: brand || model || year ? { brand, model, year, deliveredOn: null } : null,
        },
        requestKey,
      }),
    )

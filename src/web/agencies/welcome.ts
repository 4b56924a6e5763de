import { redirect } from 'react-router'
import type { Redeemed } from '../../domain/agencies/clients.ts'
import { benefitWords } from '../../domain/agencies/codes.ts'
import type { Welcome } from '../../server/agencies/redeem.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { forgetTouch } from '../projects/first-touch.ts'

/** Goes on after an account was made, saying what became of the code that it began with. */
export async function welcome(
  to: string,
  { headers, redeemed, refused }: Welcome & { headers: Headers },
): Promise<Response> {
  if (redeemed)
    return redirectWithToast(
      to,
      'Aplicamos tu código',
      codeSentence(redeemed),
      'success',
      await forgetTouch(headers),
    )
  if (refused) return redirectWithToast(to, 'Creamos tu cuenta, sin tu código', refused, 'default', headers)
  return redirect(to, { status: 303, headers })
}

/** "SOL2026: 10 % de descuento" */
export const codeSentence = ({ benefit, code }: Redeemed): string =>
  benefit.kind === 'none' ? code : `${code}: ${benefitWords(benefit)}`

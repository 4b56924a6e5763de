import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../domain/shared/refusal.ts'

// Leaked passwords by how often people chose them; data of zxcvbn (MIT), unpacked by the package when it is imported.
// Those shorter than our own minimum are refused by their length.
const leaked = new Set(dictionary['passwords-common'].filter((one) => one.length >= 8))

/** What an English list lacks, and what this product makes people think of. Written as `plain` leaves it. */
const ours = new Set([
  ...[
    'cargaencasa',
    'cargadorencasa',
    'cargador',
    'cargador1',
    'autoelectrico',
    'cocheelectrico',
    'electrico',
  ],
  ...[
    'contrasena',
    'contrasena1',
    'contrasena123',
    'micontrasena',
    'mipassword',
    'administrador',
    'gerencia',
  ],
  ...[
    'bienvenido',
    'bienvenida',
    'teamomucho',
    'teamo123',
    'teamo1234',
    'guadalupe',
    'virgencita',
    'estrellita',
  ],
  ...[
    'mexico123',
    'mexico2024',
    'mexico2025',
    'mexico2026',
    'vivamexico',
    'america123',
    'clubamerica',
    'chivas123',
  ],
])

/** Whether a password is among those that are tried first: leaked ones, this product's own words, one sign over and over. */
export function isCommonPassword(text: string): boolean {
  const typed = text.toLowerCase()
  return leaked.has(typed) || leaked.has(plain(typed)) || ours.has(letters(typed)) || new Set(typed).size <= 2
}

/** Without accents, so that "contraseña" is "contrasena". */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')
/** Nor what people put between words. */
const letters = (text: string) => plain(text).replace(/[\s._-]/g, '')

/** Refuses such a password under its field, or one that is the person's own e-mail. */
export function refuseCommon(password: string, { email = '', field = 'password' } = {}): void {
  const own = [email, email.split('@')[0]].includes(password.toLowerCase())
  if (!own && !isCommonPassword(password)) return
  const error = own
    ? 'Tu correo no sirve de contraseña. Elige otra.'
    : 'Esa contraseña es de las primeras que alguien probaría. Elige otra.'
  throw new Refusal('invalid-argument', { description: error, details: { errors: { [field]: error } } })
}

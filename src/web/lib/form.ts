import { Refusal } from '../../domain/shared/refusal.ts'
import { screenOf } from './load.ts'

/** Characters that a form with files may say beside them: as much as one without (server/platform/storage/bodies.ts). */
const mostText = 64 * 1024
const read = new WeakMap<Request, Promise<FormData>>()

/** What a form says, read once for each request, however many ask. What is no form says nothing. */
export function formOf(request: Request): Promise<FormData> {
  const known = read.get(request)
  if (known) return known
  const form = parsed(request)
  read.set(request, form)
  return form
}

/** The text fields of a form, the last of each name; files are left out. */
export const textOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

async function parsed(request: Request): Promise<FormData> {
  const form = await request.formData().catch(() => new FormData())
  const isLong = request.headers.get('content-type')?.startsWith('multipart') && lengthOf(form) > mostText
  if (isLong) throw screenOf(new TooMuchText())
  return form
}

function lengthOf(form: FormData): number {
  let length = 0
  for (const [name, value] of form)
    length += name.length + (typeof value === 'string' ? value : value.name).length
  return length
}

/** Said with 413, which is none of the store's statuses. */
class TooMuchText extends Refusal {
  constructor() {
    super('out-of-range', {
      title: 'El texto es demasiado largo',
      description: 'Vuelve atrás, acórtalo y envíalo otra vez.',
    })
  }
  override get status() {
    return 413
  }
}

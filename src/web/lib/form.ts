import { Refusal } from '../../domain/shared/refusal.ts'
import { screenOf } from './refusals-as-responses.ts'

/** Characters that a form with files may say beside them: as much as one without (server/platform/storage/bodies.ts). */
const mostText = 64 * 1024

/** What a form says; what is no form says nothing. */
export async function formOf(request: Request): Promise<FormData> {
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

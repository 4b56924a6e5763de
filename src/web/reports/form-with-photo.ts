import { formOf } from '../lib/form.ts'

/** A form that may carry a photo: its words as a form of their own, what it is meant to do, and the photo. */
export async function formWithPhoto(request: Request) {
  const sent = await formOf(request)
  const photo = sent.get('photo')
  return {
    form: request,
    intent: String(sent.get('intent')),
    photo: photo instanceof File && photo.size > 0 ? photo : null,
  }
}

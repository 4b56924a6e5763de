/** A form that may carry a photo: its words as a form of their own, what it is meant to do, and the photo. */
export async function formWithPhoto(request: Request) {
  const sent = await request.formData().catch(() => new FormData())
  const fields = [...sent].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const photo = sent.get('photo')
  return {
    form: new Request(request.url, { method: 'POST', body: new URLSearchParams(fields) }),
    intent: String(sent.get('intent')),
    photo: photo instanceof File && photo.size > 0 ? photo : null,
  }
}

export type FormWithPhoto = Awaited<ReturnType<typeof formWithPhoto>>

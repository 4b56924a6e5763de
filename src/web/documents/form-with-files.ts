/** A form that may carry files: its words as a form of their own, what it is meant to do, and the files by their boxes. */
export async function formWithFiles(request: Request) {
  const sent = await request.formData().catch(() => new FormData())
  const fields = [...sent].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return {
    form: new Request(request.url, { method: 'POST', body: new URLSearchParams(fields) }),
    intent: String(sent.get('intent')),
    /** Null where its box was left empty. */
    file: (name: string) => {
      const file = sent.get(name)
      return file instanceof File && (file.size > 0 || file.name !== '') ? file : null
    },
  }
}

export type FormWithFiles = Awaited<ReturnType<typeof formWithFiles>>

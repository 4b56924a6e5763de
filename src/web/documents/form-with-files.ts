import { formOf, saying } from '../lib/form.ts'

/** The name under which a form says which file was chosen in a box: a browser without JavaScript forgets it. */
export const sentName = (box: string) => `${box}.sent`

/** A form that may carry files: its words as a form of their own, what it is meant to do, and the files by their boxes. */
export async function formWithFiles(request: Request) {
  const sent = await formOf(request)
  const fields = [...sent].flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value] as const]
    return isChosen(value) ? [[sentName(name), value.name] as const] : []
  })
  return {
    form: saying(request, fields),
    intent: String(sent.get('intent')),
    /** Null where its box was left empty. */
    file: (name: string) => {
      const file = sent.get(name)
      return file instanceof File && isChosen(file) ? file : null
    },
  }
}

const isChosen = ({ name, size }: File) => size > 0 || name !== ''

export type FormWithFiles = Awaited<ReturnType<typeof formWithFiles>>

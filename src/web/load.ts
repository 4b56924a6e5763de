import { data } from 'react-router'
import { Refusal } from '../domain/refusal.ts'

/** Runs what a loader reads. A Refusal becomes an answer with its status, which the nearest error boundary shows. */
export async function load<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw data({ title: error.title, description: error.description }, { status: error.status })
  }
}

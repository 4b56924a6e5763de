import { data } from 'react-router'
import { Refusal } from '../domain/refusal.ts'

/** Runs what a loader reads. A Refusal becomes an answer with its status, which the nearest error boundary shows. */
export async function load<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw screenOf(error)
  }
}

/** What is thrown so that a refusal takes the place of the screen, with its status and its words. */
export const screenOf = ({ title, description, status }: Refusal) => data({ title, description }, { status })

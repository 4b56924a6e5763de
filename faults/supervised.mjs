// What `npm start` runs once everything is installed and built.
import { supervise } from '../bin/processes.mjs'

supervise(...process.argv.slice(2))

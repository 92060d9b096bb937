/** The platform's types declare these two as `any`. This file comes before them, and the first declaration counts. */
declare var Buffer: BufferConstructor
declare var process: NodeJS.Process

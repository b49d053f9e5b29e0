// How the lines of many methods in one chart are told apart.

export const palette = ['#2f7fc1', '#e07b28', '#4f9a5f', '#9b59a5', '#d1495b', '#1d2733', '#8c6d31', '#1b9e9e', '#c2539b', '#7f8fa6', '#a3b018', '#5a4fcf'];
const dashes = [[], [7, 4], [2, 3]];

/** Methods that do the same lie on each other, so neighbors differ in their dashes too. */
export const style = (i) => ({color: palette[i % palette.length], dash: dashes[i % dashes.length], width: 1.8});
